//! Work of captured streams, which goes into graphs.

use super::code::{Code, Outcome};
use super::graphs::{Capture, Captured, MODE, Node, Op};
use super::handle::Handle;
use super::state::{Current, State, Stream};
use ptyx_driver_api::*;
use std::collections::BTreeSet;

impl State {
    /// Adds a node to a graph, after others of the same graph.
    pub(super) fn add_node(
        &mut self,
        graph: Handle,
        op: Op,
        after: Vec<Handle>,
    ) -> Result<Handle, Code> {
        let handle = self.handle();
        let graph = self.graphs.graph(graph)?;
        if after.iter().any(|node| !graph.nodes.contains_key(node)) {
            return Err(Code::INVALID_VALUE);
        }
        graph.nodes.insert(handle, Node { op, after });
        Ok(handle)
    }

    /// Spoils a capture, whose streams stay in it until it is ended.
    pub(super) fn spoil_capture(&mut self, capture: u64) {
        if let Some(capture) = self.graphs.captures.get_mut(&capture) {
            capture.is_spoilt = true;
        }
    }

    /// Spoils the capture of a stream, if it is captured.
    pub(super) fn spoil(&mut self, stream: Handle) {
        if let Some(captured) = self.streams.get(&stream).and_then(|s| s.captured.clone()) {
            self.spoil_capture(captured.capture);
        }
    }

    /// Ends a capture for its streams; the caller owns the graph.
    pub(super) fn end_capture(&mut self, number: u64) -> Option<Capture> {
        for stream in self.streams.values_mut() {
            if stream.captured.as_ref().is_some_and(|captured| captured.capture == number) {
                stream.captured = None;
            }
        }
        self.graphs.captures.remove(&number)
    }

    /// Whether all work of a capture comes before what its first stream has come to.
    pub(super) fn is_joined(&self, number: u64) -> bool {
        let Some(capture) = self.graphs.captures.get(&number) else { return true };
        let Some(graph) = self.graphs.graphs.get(&capture.graph) else { return true };
        let of_capture =
            |captured: &&Captured| captured.capture == number && !captured.after.is_empty();
        let origin = self.streams.get(&capture.origin).and_then(|s| s.captured.as_ref());
        let before = origin.map_or_else(BTreeSet::new, |at| graph.with_earlier(&at.after));
        let mut places = self.streams.values().filter_map(|stream| stream.captured.as_ref());
        places.all(|at| !of_capture(&at) || at.after.iter().all(|node| before.contains(node)))
    }
}

impl Current {
    /// Where a stream's work goes, if it is captured.
    ///
    /// # Errors
    /// The capture is spoilt; or a legacy stream would have to wait for it.
    pub(super) fn captured(&mut self, stream: Handle) -> Result<Option<Captured>, Code> {
        let Some(known) = self.streams.get(&stream) else {
            self.refuse_implicit()?;
            return Ok(None);
        };
        let Some(captured) = known.captured.clone() else { return Ok(None) };
        match self.graphs.captures.get(&captured.capture) {
            Some(capture) if !capture.is_spoilt => Ok(Some(captured)),
            _ => Err(Code::STREAM_CAPTURE_INVALIDATED),
        }
    }

    /// The legacy stream waits for streams that are not non-blocking; it can't if one is captured.
    fn refuse_implicit(&mut self) -> Outcome {
        let blocks = |stream: &&Stream| {
            stream.device == self.device && stream.flags & CU_STREAM_NON_BLOCKING == 0
        };
        let captured = self.streams.values().filter(blocks).find_map(|s| s.captured.clone());
        let Some(captured) = captured else { return Ok(()) };
        self.spoil_capture(captured.capture);
        Err(Code::STREAM_CAPTURE_IMPLICIT)
    }

    /// Adds a node if the stream is captured, as what its next work comes after; whether it is.
    pub(super) fn capture(
        &mut self,
        stream: Handle,
        op: impl FnOnce() -> Op,
    ) -> Result<bool, Code> {
        let Some(Captured { capture, after }) = self.captured(stream)? else { return Ok(false) };
        let graph = self.graphs.captures.get(&capture).map_or(0, |capture| capture.graph);
        let node = self.add_node(graph, op(), after)?;
        if let Some(stream) = self.streams.get_mut(&stream) {
            stream.captured = Some(Captured { capture, after: vec![node] });
        }
        Ok(true)
    }

    /// Waiting for a stream spoils its capture.
    pub(super) fn refuse_captured(&mut self, stream: Handle) -> Outcome {
        match self.captured(stream)? {
            Some(captured) => {
                self.spoil_capture(captured.capture);
                Err(Code::STREAM_CAPTURE_UNSUPPORTED)
            }
            None => Ok(()),
        }
    }

    /// Waiting for the device spoils the captures on it.
    pub(super) fn refuse_captures(&mut self) -> Outcome {
        let device = self.device;
        let of_device = self.streams.values().filter(|stream| stream.device == device);
        let captures: Vec<u64> =
            of_device.filter_map(|stream| Some(stream.captured.as_ref()?.capture)).collect();
        captures.iter().for_each(|&capture| self.spoil_capture(capture));
        if captures.is_empty() { Ok(()) } else { Err(Code::STREAM_CAPTURE_UNSUPPORTED) }
    }

    /// Refuses what may be unsafe while this thread, or in global mode any thread, captures: see
    /// `cuThreadExchangeStreamCaptureMode`.
    pub(super) fn refuse_unsafe(&mut self) -> Outcome {
        let (own, this) = (MODE.get(), std::thread::current().id());
        let forbids = |capture: &Capture| match own {
            CU_STREAM_CAPTURE_MODE_RELAXED => false,
            _ if capture.thread == this => capture.mode != CU_STREAM_CAPTURE_MODE_RELAXED,
            CU_STREAM_CAPTURE_MODE_GLOBAL => capture.mode == CU_STREAM_CAPTURE_MODE_GLOBAL,
            _ => false,
        };
        let captures = self.graphs.captures.values_mut();
        let found = captures.filter(|capture| forbids(capture)).map(|c| c.is_spoilt = true);
        if found.count() == 0 { Ok(()) } else { Err(Code::STREAM_CAPTURE_UNSUPPORTED) }
    }

    /// Makes a stream wait for an event within a capture; false if neither has to do with one.
    pub(super) fn capture_wait(&mut self, stream: Handle, event: Handle) -> Result<bool, Code> {
        let known = self.events.get(&event).ok_or(Code::INVALID_HANDLE)?;
        let (at, is_recorded) = (known.captured.clone(), known.recorded.is_some());
        let own = self.captured(stream)?;
        let spoil = |state: &mut Current, capture: u64, code| {
            state.spoil_capture(capture);
            Err(code)
        };
        match (own, at) {
            (None, None) => Ok(false),
            (Some(own), None) if is_recorded => {
                spoil(self, own.capture, Code::STREAM_CAPTURE_ISOLATION)
            }
            (Some(_), None) => Ok(true),
            (own, Some(at)) => {
                let is_open =
                    self.graphs.captures.get(&at.capture).is_some_and(|capture| !capture.is_spoilt);
                if !is_open {
                    return Err(Code::CAPTURED_EVENT);
                }
                let mut joined = match own {
                    Some(own) if own.capture != at.capture => {
                        self.spoil_capture(at.capture);
                        return spoil(self, own.capture, Code::STREAM_CAPTURE_MERGE);
                    }
                    Some(own) => own,
                    None => Captured { capture: at.capture, after: Vec::new() },
                };
                joined.after.extend(at.after);
                joined.after.sort_unstable();
                joined.after.dedup();
                let Some(stream) = self.streams.get_mut(&stream) else {
                    return spoil(self, at.capture, Code::STREAM_CAPTURE_IMPLICIT);
                };
                stream.captured = Some(joined);
                Ok(true)
            }
        }
    }
}
