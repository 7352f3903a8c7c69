//! The nodes that a captured stream's next work comes after.

use super::GraphNode;
use crate::driver::Failure;
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::stream::{Capture, Stream};

const NOT_CAPTURED: Error = Error::Graph {
    reason: "the stream takes part in no capture of Ptyx: call this in the closure of `Stream::capture`",
};

impl Stream {
    /// In a capture, the nodes that the stream's next work comes after
    /// ([`cuStreamGetCaptureInfo`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)): at first none, later
    /// the node of its last work, and the nodes that it was told to wait for.
    ///
    /// They are nodes of the graph that the capture becomes. So captured work can be changed later, too: pass its node to
    /// [`GraphExec::set_node`](crate::GraphExec::set_node) or [`GraphExec::set_enabled`](crate::GraphExec::set_enabled).
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let (stream, mut a, mut b) = (Stream::new()?, DeviceBuffer::<u32>::zeroed(9)?, DeviceBuffer::<u32>::zeroed(9)?);
    /// let mut fill = None;
    /// let graph = stream.capture(|stream| {
    ///     a.fill_on(1, stream)?;
    ///     fill = stream.capture_dependencies()?.pop();
    ///     b.copy_from_buffer_on(&a, stream)
    /// })?;
    /// let mut exec = graph.instantiate()?;
    /// exec.set_node(fill.unwrap(), |stream| a.fill_on(7, stream))?;
    /// exec.launch(&stream)?;
    /// assert_eq!(b.to_vec()?, [7; 9]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Graph`] if the stream takes part in no capture of Ptyx; [`Error::Capture`] if an earlier call has invalidated
    /// the capture.
    #[doc(alias("cudaStreamGetCaptureInfo_v2", "cuStreamGetCaptureInfo"))]
    pub fn capture_dependencies(&self) -> Result<Vec<GraphNode>> {
        self.alone_in_capture(|capture| self.dependencies(capture)).ok_or(NOT_CAPTURED)?
    }

    /// In a capture, makes the stream's next work come after these nodes, too
    /// ([`cuStreamUpdateCaptureDependencies`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html), which adds
    /// them): nodes of the same capture, from [`Stream::capture_dependencies`] of any of its streams. The effect is
    /// that of an event that is recorded there and waited for here. [`Stream::set_capture_dependencies`] replaces the
    /// dependencies.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Event, Stream};
    /// let (stream, side, fork) = (Stream::new()?, Stream::new()?, Event::new()?);
    /// let (mut a, mut b, mut c) =
    ///     (DeviceBuffer::<u32>::zeroed(9)?, DeviceBuffer::<u32>::zeroed(9)?, DeviceBuffer::<u32>::zeroed(9)?);
    /// let graph = stream.capture(|stream| {
    ///     fork.record(stream)?;
    ///     side.wait(&fork)?;
    ///     a.fill_on(1, stream)?;
    ///     b.fill_on(2, &side)?;
    ///     stream.add_capture_dependencies(&side.capture_dependencies()?)?;
    ///     c.fill_on(3, stream) // after both
    /// })?;
    /// assert_eq!(graph.edges()?.len(), 2);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Graph`] for nodes of another graph, and if the stream takes part in no capture of Ptyx; [`Error::Capture`] if an
    /// earlier call has invalidated the capture.
    #[doc(alias("cudaStreamUpdateCaptureDependencies", "cuStreamUpdateCaptureDependencies"))]
    pub fn add_capture_dependencies(&self, nodes: &[GraphNode]) -> Result<()> {
        self.update_dependencies(nodes, |capture, nodes| capture.come_after(self, nodes))
    }

    /// In a capture, makes the stream's next work come after only these nodes
    /// ([`cuStreamUpdateCaptureDependencies`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html), which sets
    /// them): nodes of the same capture, from [`Stream::capture_dependencies`] of any of its streams. With no nodes, the
    /// next work can be the graph's first.
    ///
    /// Work that uses memory still comes after the captured work that it conflicts with, whatever is set here.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let [mut a, mut b, mut c] = [DeviceBuffer::<u32>::zeroed(9)?, DeviceBuffer::zeroed(9)?, DeviceBuffer::zeroed(9)?];
    /// let graph = stream.capture(|stream| {
    ///     a.fill_on(1, stream)?;
    ///     let first = stream.capture_dependencies()?;
    ///     b.copy_from_buffer_on(&a, stream)?;
    ///     stream.set_capture_dependencies(&first)?;
    ///     c.copy_from_buffer_on(&a, stream) // beside the other copy
    /// })?;
    /// assert_eq!((graph.nodes()?.len(), graph.edges()?.len()), (3, 2));
    /// graph.instantiate()?.launch(&stream)?;
    /// assert_eq!((b.to_vec()?, c.to_vec()?), (vec![1; 9], vec![1; 9]));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Stream::add_capture_dependencies`].
    #[doc(alias("cudaStreamUpdateCaptureDependencies", "cuStreamUpdateCaptureDependencies"))]
    pub fn set_capture_dependencies(&self, nodes: &[GraphNode]) -> Result<()> {
        self.update_dependencies(nodes, |capture, nodes| capture.come_after_only(self, nodes))
    }

    fn update_dependencies(
        &self,
        nodes: &[GraphNode],
        update: impl FnOnce(&Capture, &[CUgraphNode]) -> Result<(), Failure>,
    ) -> Result<()> {
        let updated = self.alone_in_capture(|capture| {
            if nodes.iter().any(|node| node.graph != capture.number) {
                return Err(Error::Graph {
                    reason: "work of a capture can only come after nodes of the same capture",
                });
            }
            let nodes: Vec<CUgraphNode> = nodes.iter().map(|node| node.handle).collect();
            Ok(update(capture, &nodes)?)
        });
        updated.ok_or(NOT_CAPTURED)?
    }

    fn dependencies(&self, capture: &Capture) -> Result<Vec<GraphNode>> {
        let nodes = capture.tell_dependencies(self)?.into_iter();
        Ok(nodes.map(|handle| GraphNode { graph: capture.number, handle }).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::CaptureReason;
    use crate::{DeviceBuffer, Event, Graph, GraphNodeKind};

    fn zeros() -> DeviceBuffer<u32> {
        DeviceBuffer::zeroed(100).unwrap()
    }

    #[track_caller]
    fn refused<T>(result: Result<T>) {
        assert!(matches!(result, Err(Error::Graph { .. })), "{:?}", result.err());
    }

    /// The nodes that captured streams report are the graph's, and their work can be changed.
    #[test]
    fn captured_streams_tell_their_nodes() {
        let (stream, side, fork) =
            (Stream::new().unwrap(), Stream::new().unwrap(), Event::new().unwrap());
        let (mut a, mut b, mut c) = (zeros(), zeros(), zeros());
        refused(stream.capture_dependencies());
        let mut seen = Vec::new();
        let graph = stream.capture(|stream| {
            assert_eq!(stream.capture_dependencies()?, []);
            refused(side.capture_dependencies());
            a.fill_on(1, stream)?;
            seen.push(stream.capture_dependencies()?);
            fork.record(stream)?;
            side.wait(&fork)?;
            assert_eq!(side.capture_dependencies()?, seen[0]);
            b.copy_from_buffer_on(&a, &side)?;
            seen.push(side.capture_dependencies()?);
            assert_eq!(stream.capture_dependencies()?, seen[0]);
            // Because of the buffer, the stream waits for the other one.
            c.copy_from_buffer_on(&b, stream)?;
            seen.push(stream.capture_dependencies()?);
            Ok(())
        });
        let graph = graph.unwrap();
        refused(side.capture_dependencies());
        let [fill, first, second] = seen.concat()[..] else { panic!("{seen:?}") };
        let mut nodes = graph.nodes().unwrap();
        let captured = [fill, first, second];
        // The driver's own order may be another one.
        nodes.sort_by_key(|node| captured.iter().position(|one| one == node));
        assert_eq!(nodes, captured);
        let kinds = [fill, first, second].map(|node| graph.kind(node).unwrap());
        assert_eq!(kinds, [GraphNodeKind::Fill, GraphNodeKind::Copy, GraphNodeKind::Copy]);
        assert!(graph.edges().unwrap().contains(&(first, second)));
        let mut exec = graph.instantiate().unwrap();
        exec.set_node(fill, |stream| a.fill_on(5, stream)).unwrap();
        exec.launch(&side).unwrap();
        assert_eq!(c.to_vec().unwrap(), [5; 100]);
        // A copy has nodes of its own.
        refused(graph.try_clone().unwrap().kind(fill));
    }

    #[test]
    fn work_comes_after_nodes_that_are_added() {
        let (stream, side, fork) =
            (Stream::new().unwrap(), Stream::new().unwrap(), Event::new().unwrap());
        let (mut a, mut b, mut c) = (zeros(), zeros(), zeros());
        let mut other = Graph::new().unwrap();
        let foreign = other.add_empty(&[]).unwrap();
        refused(stream.add_capture_dependencies(&[]));
        let mut seen = Vec::new();
        let graph = stream.capture(|stream| {
            fork.record(stream)?;
            side.wait(&fork)?;
            a.fill_on(1, stream)?;
            b.fill_on(2, &side)?;
            seen.extend(stream.capture_dependencies()?);
            seen.extend(side.capture_dependencies()?);
            refused(stream.add_capture_dependencies(&[seen[1], foreign]));
            assert_eq!(stream.capture_dependencies()?, seen[..1]);
            // A node that is given twice, or is a dependency already, is added once.
            stream.add_capture_dependencies(&[seen[1], seen[0], seen[1]])?;
            stream.add_capture_dependencies(&[])?;
            assert_eq!(stream.capture_dependencies()?.len(), 2);
            c.fill_on(3, stream)?;
            seen.extend(stream.capture_dependencies()?);
            Ok(())
        });
        let graph = graph.unwrap();
        let mut edges = graph.edges().unwrap();
        // The driver's own order may be another one.
        edges.sort_by_key(|(from, _)| seen.iter().position(|node| node == from));
        assert_eq!(edges, [(seen[0], seen[2]), (seen[1], seen[2])]);
        graph.instantiate().unwrap().launch(&stream).unwrap();
        assert_eq!(c.to_vec().unwrap(), [3; 100]);
        // Nodes of an earlier capture.
        let captured = stream.capture(|stream| stream.add_capture_dependencies(&seen));
        refused(captured);
    }

    /// What is set replaces what was there, but uses of memory stay in order: also on the other streams, and where the memory
    /// is freed.
    #[test]
    fn dependencies_are_replaced_and_memory_stays_in_order() {
        let (stream, side, fork) =
            (Stream::new().unwrap(), Stream::new().unwrap(), Event::new().unwrap());
        let [mut a, mut b, mut c, mut d, mut e] = [0; 5].map(|_| zeros());
        let mut other = Graph::new().unwrap();
        let foreign = other.add_empty(&[]).unwrap();
        refused(stream.set_capture_dependencies(&[]));
        let mut nodes = Vec::new();
        let mut last = |stream: &Stream| -> Result<GraphNode> {
            let given = stream.capture_dependencies()?;
            nodes.extend(given.last());
            Ok(given[given.len() - 1])
        };
        let graph = stream.capture(|stream| {
            let scratch = DeviceBuffer::<u32>::zeroed_on(100, stream)?;
            stream.set_capture_dependencies(&[])?;
            assert_eq!(stream.capture_dependencies()?, []);
            a.fill_on(1, stream)?; // the first work, again
            let fill = last(stream)?;
            refused(stream.set_capture_dependencies(&[foreign]));
            assert_eq!(stream.capture_dependencies()?, [fill]);
            b.fill_on(2, stream)?;
            last(stream)?;
            stream.set_capture_dependencies(&[fill, fill])?;
            c.copy_from_buffer_on(&a, stream)?; // beside the fill of `b`
            last(stream)?;
            fork.record(stream)?;
            side.wait(&fork)?;
            stream.set_capture_dependencies(&[])?;
            // After the fill of `b`, which neither stream's last work comes after.
            d.copy_from_buffer_on(&b, &side)?;
            last(&side)?;
            // After the copies of `a` and `b`.
            a.fill_on(5, stream)?;
            let again = last(stream)?;
            // The same use as before, but later.
            a.fill_on(6, stream)?;
            a.fill_on(7, stream)?;
            stream.set_capture_dependencies(&[again])?;
            e.copy_from_buffer_on(&a, stream)?;
            b.copy_from_buffer_on(&scratch, stream)?;
            Ok(())
        });
        let graph = graph.unwrap();
        let edges = graph.edges().unwrap();
        let [fill_a, fill_b, copy_a, copy_b, fill_again] = nodes[..] else { panic!("{nodes:?}") };
        assert!(edges.contains(&(fill_a, fill_b)) && edges.contains(&(fill_a, copy_a)));
        assert!(!edges.contains(&(fill_b, copy_a)), "{edges:?}");
        assert!(edges.contains(&(fill_b, copy_b)) && edges.contains(&(copy_a, fill_again)));
        let exec = graph.instantiate().unwrap();
        for _ in 0..3 {
            exec.launch(&stream).unwrap();
            let all = [&a, &b, &c, &d, &e].map(|buffer| buffer.to_vec().unwrap()[99]);
            assert_eq!(all, [7, 0, 1, 2, 7]);
        }
    }

    #[test]
    fn an_invalidated_capture_has_none() {
        let stream = Stream::new().unwrap();
        let captured = stream.capture(|stream| {
            // SAFETY: the stream is alive.
            let waited = unsafe { stream.context().driver.cuStreamSynchronize(stream.handle()) };
            assert!(waited.is_err());
            for result in [
                stream.capture_dependencies().map(drop),
                stream.add_capture_dependencies(&[]),
                stream.set_capture_dependencies(&[]),
            ] {
                let Err(Error::Capture(rule)) = result else { panic!("{result:?}") };
                assert_eq!(rule.reason, CaptureReason::Invalidated);
            }
            Ok(())
        });
        assert!(captured.is_err());
    }

    /// While threads give a captured stream work, each answer is a node of the graph.
    #[test]
    fn threads_ask_while_others_give_work() {
        let stream = Stream::new().unwrap();
        let mut buffers: Vec<DeviceBuffer<u32>> = (0..3).map(|_| zeros()).collect();
        let mut seen = Vec::new();
        let graph = stream.capture(|stream| {
            std::thread::scope(|scope| {
                let work = buffers.iter_mut().map(|buffer| {
                    scope.spawn(|| (0..100).try_for_each(|number| buffer.fill_on(number, stream)))
                });
                let work: Vec<_> = work.collect();
                for _ in 0..200 {
                    seen.extend(stream.capture_dependencies()?);
                }
                work.into_iter().try_for_each(|thread| thread.join().unwrap())
            })
        });
        let graph = graph.unwrap();
        let nodes = graph.nodes().unwrap();
        assert_eq!(nodes.len(), 300);
        assert!(seen.iter().all(|node| nodes.contains(node)));
    }
}
