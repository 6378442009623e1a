"""`@kernel`: numba's compiler, with machine code for the functions that Python calls only.

numba compiles each function by itself: every function that a kernel calls is optimised with all
that *it* calls, turned into machine code, wrapped for Python and stored, again at each level. Our
kernels are trees of hundreds of small functions, where that is most of the time. Here a function
that another one calls is a part: typed and lowered once, linked where it is used, and optimised
there, as a whole. Called from Python, it is compiled as a kernel of its own.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from numba.core import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature
from numba.core.typed_passes import NativeLowering
from numba.core.types import unliteral  # type: ignore[attr-defined]  # by a star import

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class _Part(JITCodeLibrary):  # type: ignore[misc]  # untyped
    """The code of a function as lowered, without that of what it calls."""

    def finalize(self) -> None:
        self._finalized = True


class _Whole(JITCodeLibrary):  # type: ignore[misc]  # untyped
    """A kernel with all its parts."""

    _linking_libraries: list[JITCodeLibrary]

    def finalize(self) -> None:
        # What is linked before anything calls it is dropped: callers come first.
        self._linking_libraries = [*_called_first(self._linking_libraries, set())][::-1]
        super().finalize()


def _called_first(
    libraries: list[JITCodeLibrary], seen: set[JITCodeLibrary]
) -> Iterator[JITCodeLibrary]:
    for library in libraries:
        if library not in seen:
            seen.add(library)
            if isinstance(library, _Part):
                yield from _called_first(library._linking_libraries, seen)
            yield library


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(NativeLowering):  # type: ignore[misc]  # untyped
    _name = "kernel_lowering"

    def run_pass(self, state: Any) -> bool:
        codegen, name = state.targetctx.codegen(), state.func_id.func_qualname
        if Kernel.depth > 1:
            state.library = _Part(codegen, name)
            state.flags.no_compile = True
            state.flags.no_cpython_wrapper = state.flags.no_cfunc_wrapper = True
            super().run_pass(state)
            known_by = object()  # callers find a function by what Python would call
            state.targetctx.insert_user_function(known_by, state["cr"].fndesc, [state.library])
            state["cr"] = state["cr"]._replace(cfunc=known_by)
            return True
        state.library = _Whole(codegen, name)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


class _Compiler(CompilerBase):  # type: ignore[misc]  # untyped
    def define_pipelines(self) -> list[PassManager]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state).passes
        whole = PassManager("kernel")
        for one, says in passes:
            whole.add_pass(_Lowering if one is NativeLowering else one, says)
        whole.finalize()
        return [whole]


class _ByModule(UserProvidedCacheLocator):  # type: ignore[misc]  # untyped
    """In a folder that is given, files by the name of a module, wherever its code stands.

    numba names them by the path of the code, so that each checkout compiles for itself.
    """

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        super().__init__(py_func, py_file)
        self._cache_path = str(Path(config.CACHE_DIR) / py_func.__module__)

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> Any:
        """Take what is ours; other modules may share a name, as scripts do."""
        is_ours = py_func.__module__.startswith("capmodels.")
        return super().from_function(py_func, py_file) if is_ours else None


class _Files(CompileResultCacheImpl):  # type: ignore[misc]  # untyped
    _locator_classes = (_ByModule, *CompileResultCacheImpl._locator_classes)


class _Cache(FunctionCache):  # type: ignore[misc]  # untyped
    _impl_class = _Files


class Kernel(CPUDispatcher):  # type: ignore[misc]  # untyped
    """A compiled function, to be called by Python or by other kernels."""

    depth = 0  # kernels being compiled, each for the one before; guarded by numba's lock

    def __init__(
        self,
        py_func: Callable[..., Any],
        locals: dict[str, Any] | None = None,  # numba's names
        targetoptions: dict[str, Any] | None = None,
        pipeline_class: type[CompilerBase] = _Compiler,
    ) -> None:
        super().__init__(py_func, locals, targetoptions, pipeline_class)

    def enable_caching(self) -> None:
        """Keep machine code on disk."""
        self._cache = _Cache(self.py_func)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Give numba the type of a call from a kernel: one for all constants of a type."""
        plain = {name: unliteral(one) for name, one in kws.items()}
        return super().get_call_template(tuple(unliteral(one) for one in args), plain)

    def compile(self, sig: Any) -> Any:
        """Compile for types of arguments, and return what is called."""
        with global_compiler_lock:
            args, returned = normalize_signature(sig)
            known = self.overloads.get(tuple(args))
            if known is not None and (Kernel.depth or not isinstance(known.library, _Part)):
                return known.entry_point
            Kernel.depth += 1
            try:
                if Kernel.depth == 1:
                    self.overloads.pop(tuple(args), None)
                    entry = super().compile(sig)
                    _join_environments(self.overloads[tuple(args)])
                    return entry
                with self._compiling_counter:
                    part = self._compiler.compile(args, returned)
                self.overloads[tuple(args)] = part
                return part.entry_point
            finally:
                Kernel.depth -= 1


def _join_environments(compiled: CompileResult) -> None:
    """Give each part in a kernel the constants and errors that its lowering left for it."""
    for environment in compiled._find_referenced_environments():
        compiled.codegen.set_env(environment.env_name, environment)


def kernel(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Compile a function by numba when it is called, and keep its machine code on disk.

    `options` are numba's, as `error_model` or `inline`. With numba's compiler turned off
    (`NUMBA_DISABLE_JIT`) the function is returned as it is.
    """
    if function is None:
        return lambda given: kernel(given, **options)
    if config.DISABLE_JIT:
        return function
    made = Kernel(function, targetoptions={"nopython": True, "boundscheck": None, **options})
    made.enable_caching()
    return made
