//! Graphs as text for Graphviz.

use super::hand::EMPTY_KERNEL;
use super::{Graph, GraphNode, GraphNodeKind};
use crate::error::Result;
use core::fmt::Write;

impl Graph {
    /// The graph in the language DOT of Graphviz, which `dot -Tsvg` draws: a line for each node with its kind, and one for each
    /// edge. A kernel's line also has the name of its entry, if the driver is 12.3 or newer. Graphs in it are single nodes.
    ///
    /// ```
    /// let mut graph = ptyx::Graph::new()?;
    /// let start = graph.add_empty(&[])?;
    /// graph.add_empty(&[start])?;
    /// assert!(graph.dot()?.contains("0 -> 1"));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    #[doc(alias = "cudaGraphDebugDotPrint")]
    pub fn dot(&self) -> Result<String> {
        let nodes = self.nodes()?;
        let mut text = "digraph {\n".to_owned();
        for (number, &node) in nodes.iter().enumerate() {
            let mut label = self.kind(node)?.to_string();
            if let Some(name) = self.kernel_name(node)? {
                label = format!("{label} {name}");
            }
            // Writing to a text does not fail.
            let _ = writeln!(text, "    {number} [label=\"{number}: {label}\"];");
        }
        let place = |wanted| nodes.iter().position(|&node| node == wanted).unwrap_or(nodes.len());
        for (from, to) in self.edges()? {
            let _ = writeln!(text, "    {} -> {};", place(from), place(to));
        }
        text.push_str("}\n");
        Ok(text)
    }

    /// The name of a kernel's entry, if the node is a kernel and the driver knows the name.
    fn kernel_name(&self, node: GraphNode) -> Result<Option<String>> {
        if self.kind(node)? != GraphNodeKind::Kernel {
            return Ok(None);
        }
        let _alone = self.alone()?;
        let driver = self.context.driver;
        let mut params = EMPTY_KERNEL;
        // SAFETY: the place is valid, and the graph has the node.
        unsafe { driver.cuGraphKernelNodeGetParams(node.handle, &mut params) }?;
        // SAFETY: the graph keeps its kernels' modules loaded.
        let name = unsafe { driver.entry_name(params.function) };
        Ok(name.ok().filter(|name| !name.is_empty()))
    }
}

#[cfg(test)]
mod tests {
    use crate::{DeviceBuffer, Graph};

    #[test]
    fn each_node_and_each_edge_has_a_line() {
        let mut buffer = DeviceBuffer::<u32>::zeroed(8).unwrap();
        let mut graph = Graph::new().unwrap();
        let start = graph.add_empty(&[]).unwrap();
        let fill = graph.add_node(&[start], |stream| buffer.fill_on(1, stream)).unwrap();
        graph.add_empty(&[start, fill]).unwrap();
        let text = graph.dot().unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let [first, nodes @ .., last] = &lines[..] else { panic!("{text}") };
        assert_eq!((*first, *last), ("digraph {", "}"));
        let (nodes, edges) = nodes.split_at(3);
        for (number, line) in nodes.iter().enumerate() {
            let kind = graph.kind(graph.nodes().unwrap()[number]).unwrap();
            assert_eq!(*line, format!("{number} [label=\"{number}: {kind}\"];"));
        }
        let mut edges = edges.to_vec();
        edges.sort();
        assert_eq!(edges, ["0 -> 1;", "0 -> 2;", "1 -> 2;"], "{text}");
    }
}
