// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.syscall;

import com.kenai.jffi.CallContext;
import com.kenai.jffi.CallingConvention;
import com.kenai.jffi.Invoker;
import com.kenai.jffi.LastError;
import com.kenai.jffi.Library;
import com.kenai.jffi.Type;
import java.util.Arrays;

/**
 * The functions of libc by jffi, the lowest layer of JNR: each takes up to six numbers, and gives one back. jffi generates
 * no code for a function, so binding all functions takes as long as binding one (docs/adr/0040).
 *
 * <p>An {@code int} is passed as a {@code long}: the calling conventions of x86-64 and arm64 pass both in a register of 64
 * bits, of which a function that takes or gives an {@code int} uses the lower half.
 */
final class Libc {
    /** The functions that the process has loaded already. */
    static final String DEFAULT = "c";

    private static final Invoker INVOKER = Invoker.getInstance();
    private static final LastError LAST_ERROR = LastError.getInstance();
    private static final CallContext ONE = context(1, true);
    private static final CallContext TWO = context(2, true);
    private static final CallContext THREE = context(3, true);
    private static final CallContext FOUR = context(4, true);
    private static final CallContext FIVE = context(5, true);
    private static final CallContext SIX = context(6, true);
    private static final CallContext QUIET_THREE = context(3, false);

    /** Its functions can be called for as long as this object is reachable. */
    private final Library library;

    private final String name;

    /** The functions of {@code name}, a path or a name without {@code lib} and {@code .so}. */
    Libc(String name) {
        this.name = name;
        Library opened = name.equals(DEFAULT) ? Library.getDefault() : Library.openLibrary(file(name), Library.LAZY);
        if (opened == null) {
            throw new UnsatisfiedLinkError("cannot load the library " + name + ": " + Library.getLastError());
        }
        this.library = opened;
    }

    private static String file(String name) {
        return name.indexOf('/') < 0 ? System.mapLibraryName(name) : name;
    }

    private static CallContext context(int parameters, boolean keepsErrno) {
        Type[] types = new Type[parameters];
        Arrays.fill(types, Type.SLONG);
        return CallContext.getCallContext(Type.SLONG, types, CallingConvention.DEFAULT, keepsErrno);
    }

    /** The address of a function. */
    long function(String function) {
        long address = library.getSymbolAddress(function);
        if (address == 0) {
            throw new UnsatisfiedLinkError("the library " + name + " has no function " + function);
        }
        return address;
    }

    /** The error number of this thread's last call: jffi keeps the number inside the call. */
    int errno() {
        return LAST_ERROR.get();
    }

    long call(long function, long argument) {
        return INVOKER.invokeL1(ONE, function, argument);
    }

    long call(long function, long first, long second) {
        return INVOKER.invokeL2(TWO, function, first, second);
    }

    long call(long function, long first, long second, long third) {
        return INVOKER.invokeL3(THREE, function, first, second, third);
    }

    long call(long function, long first, long second, long third, long fourth) {
        return INVOKER.invokeL4(FOUR, function, first, second, third, fourth);
    }

    long call(long function, long first, long second, long third, long fourth, long fifth) {
        return INVOKER.invokeL5(FIVE, function, first, second, third, fourth, fifth);
    }

    long call(long function, long first, long second, long third, long fourth, long fifth, long sixth) {
        return INVOKER.invokeL6(SIX, function, first, second, third, fourth, fifth, sixth);
    }

    /** A call that does not keep errno, and is a seventh faster. */
    long quietly(long function, long first, long second, long third) {
        return INVOKER.invokeL3NoErrno(QUIET_THREE, function, first, second, third);
    }
}
