//! What can't be done while streams are captured, and why graphs can't be changed.

use crate::driver::Failure;
use crate::driver::types::*;
use core::fmt;

/// What can't be done while a stream is captured: see [`Stream::capture`](crate::Stream::capture).
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
    /// What was called: a function of the driver, or what Ptyx does not pass on to it.
    pub call: &'static str,
    /// Why it can't be done.
    pub reason: CaptureReason,
}

macro_rules! reasons {
    ($($(#[doc = $doc:literal])* $name:ident = $code:ident: $text:literal;)*) => {
        /// Why something can't be done while a stream is captured. Each is a result of the driver
        /// (`CUDA_ERROR_STREAM_CAPTURE_..`).
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
    /// The work of a captured stream does not run, so nothing can wait for it; some work can't be captured.
    Unsupported = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED:
        "it can't be done with a stream that is captured: do it before `Stream::capture`, or after the graph was launched";
    /// An earlier error has spoilt the capture.
    Invalidated = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED:
        "an earlier call has spoilt the capture: look at the error of that call";
    /// Two captures would become one.
    Merge = CUDA_ERROR_STREAM_CAPTURE_MERGE:
        "the stream takes part in another capture, or in another part of one: end that capture first";
    /// Another stream began the capture.
    Unmatched = CUDA_ERROR_STREAM_CAPTURE_UNMATCHED: "another stream began the capture";
    /// A stream that takes part was not waited for.
    Unjoined = CUDA_ERROR_STREAM_CAPTURE_UNJOINED:
        "a stream that takes part has work for which the first one does not wait: record an event there, and wait for it";
    /// A wait for something outside of the capture.
    Isolation = CUDA_ERROR_STREAM_CAPTURE_ISOLATION:
        "the event was recorded outside of the capture: wait for it before `Stream::capture`, or let the stream on which \
         the graph is launched wait for it";
    /// The legacy default stream would have to wait for the capture.
    Implicit = CUDA_ERROR_STREAM_CAPTURE_IMPLICIT:
        "the legacy default stream would wait for the captured stream: capture a stream that is not `blocking`";
    /// The event was recorded in a capture.
    CapturedEvent = CUDA_ERROR_CAPTURED_EVENT:
        "the event was recorded in a capture, where nothing ran: record it again outside of it";
    /// Another thread began the capture.
    WrongThread = CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD: "another thread began the capture";
}

impl CaptureRule {
    /// The rule that a call of the driver has broken, if it is one.
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

/// Why a graph can't take the place of another in a [`GraphExec`](crate::GraphExec).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GraphUpdateReason {
    /// There are other nodes or edges.
    Topology,
    /// A node does something else: a copy where a kernel was, say.
    NodeType,
    /// A kernel can't take the place of the one before.
    Function,
    /// Parameters have changed that can't.
    Parameters,
    /// Attributes of a node have changed that can't.
    Attributes,
    /// The driver can't update such a node.
    NotSupported,
    /// Something else.
    Other,
}

impl GraphUpdateReason {
    /// The reason that the driver gives.
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
            GraphUpdateReason::Topology => "it has other nodes or edges",
            GraphUpdateReason::NodeType => "a node does something of another kind",
            GraphUpdateReason::Function => "a kernel can't take the place of the one before",
            GraphUpdateReason::Parameters => "parameters differ that can't be changed",
            GraphUpdateReason::Attributes => "attributes of a node differ that can't be changed",
            GraphUpdateReason::NotSupported => "the driver can't update such a node",
            GraphUpdateReason::Other => "the driver does not say why",
        })
    }
}
