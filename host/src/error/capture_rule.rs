//! What is not allowed while a stream is being captured, and why a graph can't be updated.

use crate::driver::Failure;
use crate::driver::types::*;
use core::fmt;

/// A call that is not allowed while a stream is being captured: see [`Stream::capture`](crate::Stream::capture).
///
/// ```
/// use ptyx::{CaptureReason, Error, Stream};
/// let stream = Stream::new()?;
/// let captured = stream.capture(|stream| stream.synchronize());
/// let Err(Error::Capture(rule)) = captured else { panic!() };
/// assert_eq!(rule.reason, CaptureReason::Unsupported);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CaptureRule {
    /// What was called: a driver function, or an operation that Ptyx itself refuses.
    pub call: &'static str,
    /// Why it is not allowed.
    pub reason: CaptureReason,
}

macro_rules! reasons {
    ($($(#[doc = $doc:literal])* $name:ident = $code:ident: $text:literal;)*) => {
        /// Why a call is not allowed while a stream is being captured. Each is a result of the driver
        /// (`CUDA_ERROR_STREAM_CAPTURE_..`).
        ///
        /// ```
        /// use ptyx::{CaptureReason, Error, Event, Stream};
        /// let (stream, event) = (Stream::new()?, Event::new()?);
        /// event.record(&stream)?; // outside of the capture
        /// let Err(Error::Capture(rule)) = stream.capture(|stream| stream.wait(&event)) else { panic!() };
        /// assert_eq!(rule.reason, CaptureReason::Isolation);
        /// # Ok::<(), ptyx::Error>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum CaptureReason {
            $($(#[doc = $doc])* $name,)*
        }

        impl CaptureReason {
            fn of(code: CUresult) -> Option<CaptureReason> {
                match code {
                    $($code => Some(CaptureReason::$name),)*
                    _ => None,
                }
            }

            /// The driver's result code.
            pub(super) fn code(self) -> CUresult {
                match self {
                    $(CaptureReason::$name => $code,)*
                }
            }

            fn text(self) -> &'static str {
                match self {
                    $(CaptureReason::$name => $text,)*
                }
            }
        }
    };
}

reasons! {
    /// The call waits for work of the stream, which does not run while it is captured, or its work can't be captured.
    Unsupported = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED:
        "this is not allowed while the stream is being captured: do it before `Stream::capture`, or after launching the graph";
    /// An earlier error has invalidated the capture.
    Invalidated = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED:
        "an earlier call has invalidated the capture: see that call's error";
    /// Two captures would be merged.
    Merge = CUDA_ERROR_STREAM_CAPTURE_MERGE:
        "the stream takes part in another capture, or in another part of this one: end that capture first";
    /// Another stream began the capture.
    Unmatched = CUDA_ERROR_STREAM_CAPTURE_UNMATCHED: "another stream began the capture";
    /// The first stream does not wait for all work of another stream in the capture.
    Unjoined = CUDA_ERROR_STREAM_CAPTURE_UNJOINED:
        "the first stream does not wait for all work of another stream in the capture: record an event on that stream \
         after its work, and let the first stream wait for the event";
    /// A captured stream would wait for work outside of the capture.
    Isolation = CUDA_ERROR_STREAM_CAPTURE_ISOLATION:
        "the event was recorded outside of the capture: wait for it before `Stream::capture`, or let the stream on which \
         the graph is launched wait for it";
    /// The legacy default stream would have to wait for the capture.
    Implicit = CUDA_ERROR_STREAM_CAPTURE_IMPLICIT:
        "the legacy default stream would wait for the captured stream: capture a stream that is not `blocking`";
    /// The event was recorded in a capture.
    CapturedEvent = CUDA_ERROR_CAPTURED_EVENT:
        "the event was recorded in a capture, during which nothing runs: record it again outside of the capture";
    /// Another thread began the capture.
    WrongThread = CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD: "another thread began the capture";
}

impl CaptureRule {
    /// The rule that a failed driver call has broken, if it is one about captures.
    pub(super) fn of(failure: Failure) -> Option<CaptureRule> {
        let Failure { call, code } = failure;
        Some(CaptureRule { call, reason: CaptureReason::of(code)? })
    }
}

impl fmt::Display for CaptureRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.call, self.reason.text())
    }
}

/// Why a [`GraphExec`](crate::GraphExec) can't be updated to a graph.
///
/// ```
/// use ptyx::{DeviceBuffer, Error, GraphUpdateReason, Stream};
/// let stream = Stream::new()?;
/// let (mut a, b) = (DeviceBuffer::<u32>::zeroed(10)?, DeviceBuffer::filled(10, 7u32)?);
/// let mut exec = stream.capture(|stream| a.fill_on(5, stream))?.instantiate()?;
/// let copy = stream.capture(|stream| a.copy_from_buffer_on(&b, stream))?;
/// match exec.update(&copy) {
///     Err(Error::GraphUpdate { reason: GraphUpdateReason::NodeType }) => {
///         exec = copy.instantiate()?; // a fill can't become a copy
///     }
///     result => panic!("{result:?}"),
/// }
/// exec.launch(&stream)?;
/// assert_eq!(a.to_vec()?, [7; 10]);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GraphUpdateReason {
    /// Its nodes or edges differ.
    Topology,
    /// A node has another type: a copy instead of a kernel, for example.
    NodeType,
    /// A kernel node has a kernel that can't replace the old one.
    Function,
    /// Parameters of a node differ that can't be updated.
    Parameters,
    /// Attributes of a node differ that can't be updated.
    Attributes,
    /// The driver can't update a node of this type.
    NotSupported,
    /// Another reason.
    Other,
}

impl GraphUpdateReason {
    /// The reason for the driver's result.
    pub(crate) fn of(result: CUgraphExecUpdateResult) -> GraphUpdateReason {
        match result {
            CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED => GraphUpdateReason::Topology,
            CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED => GraphUpdateReason::NodeType,
            CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED
            | CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE => GraphUpdateReason::Function,
            CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED => GraphUpdateReason::Parameters,
            CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED => GraphUpdateReason::Attributes,
            CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED => GraphUpdateReason::NotSupported,
            _ => GraphUpdateReason::Other,
        }
    }
}

impl fmt::Display for GraphUpdateReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GraphUpdateReason::Topology => "its nodes or edges differ",
            GraphUpdateReason::NodeType => "a node has another type than before",
            GraphUpdateReason::Function => "a node's kernel can't replace the one before",
            GraphUpdateReason::Parameters => "a node's parameters differ and can't be updated",
            GraphUpdateReason::Attributes => "a node's attributes differ and can't be updated",
            GraphUpdateReason::NotSupported => "the driver can't update a node of this type",
            GraphUpdateReason::Other => "the driver does not say why",
        })
    }
}
