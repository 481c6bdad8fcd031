"""The tools about failures, earlier successes, and the model that did a task best."""

from __future__ import annotations

from codeagentd.memory.reflection import episodes, guidance
from codeagentd.memory.reflection.episodes import Attempt
from codeagentd.model.reflection import FeedbackType, Guidance, Output, Recommendation, Reflection, Words
from codeagentd.model.tasks import FilePath, ModelName
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import Effect, tool

PATIENCE_S = 0.1  # seconds until a file that was saved just now is indexed: the output refers to it


@tool("reflection", Effect.WRITE, needs_index=False, flat_errors=True, idempotent=False)
def reflect(
    ctx: Context,
    output: Output,
    feedback: Output,
    feedback_type: FeedbackType | None = None,
    task: Words | None = None,
    approach: Words | None = None,
    model_used: ModelName | None = None,
    code_context: Words | None = None,
    file_path: FilePath | None = None,
) -> Reflection:
    """Learn from a failed attempt, such as a test run, and record why it failed: error, place and test are read from
    the feedback (test runners, compilers, linters, tracebacks), looked up in the index and kept as an episode. Feedback
    that reports no failure is kept as a success, and feedback that says neither as unknown.

    Returns: the four answers, findings (at most 20), the episode's id, similar memories.
    Errors:  VALIDATION_ERROR, DB_ERROR.
    Source:  004 reflect.
    """
    attempt = Attempt(
        output,
        feedback,
        feedback_type or "",
        task or "",
        approach or "",
        model_used or "",
        code_context or "",
        file_path or "",
    )
    return episodes.reflect(ctx.memory, ctx.caller, ctx.code(PATIENCE_S), attempt)


@tool("reflection", needs_index=False, flat_errors=True)
def improved_attempt(
    ctx: Context, task: Words, original_output: Output, error_pattern: Words | None = None
) -> Guidance:
    """Get advice before retrying a failed attempt: lessons from similar past episodes, what worked, what did not, with
    their ids.

    Returns: what_worked, what_did_not (at most 5 each, most similar first), recommended_approach.
    Errors:  VALIDATION_ERROR, DB_ERROR.
    Source:  004 improved_attempt.
    """
    return guidance.improved_attempt(ctx.memory, ctx.code(PATIENCE_S), task, original_output, error_pattern or "")


@tool("reflection", needs_index=False, flat_errors=True)
def model_effectiveness(ctx: Context, task_pattern: Words, feedback_type: FeedbackType | None = None) -> Recommendation:
    """Recommend which model (haiku, sonnet or opus) is best for a kind of task, by the lower 95 % bound of their
    success in matching episodes.

    Returns: recommended_model (absent where nothing speaks for one), confidence, reasoning, counts per model.
    Errors:  VALIDATION_ERROR, DB_ERROR.
    Source:  004 model_effectiveness.
    """
    return guidance.model_effectiveness(ctx.memory, task_pattern, feedback_type or "")
