// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.testkit.model.ModelRdmaCm;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;

/** The kernel of a model whose commands a test sees first: it answers them itself, or throws instead. */
final class HookedKernel {
    private HookedKernel() {}

    /** Sees the commands of the connection manager, which begin with their number. */
    @FunctionalInterface
    interface Hook {
        /** Returns true if the command is answered. */
        boolean write(ByteBuffer command);
    }

    /** {@code afterClose} runs after each close(2). */
    static Kernel of(ModelRdmaCm model, Hook hook, Runnable afterClose) {
        LinuxKernel real = LinuxKernel.of(model.kernel());
        Syscalls hooked = (Syscalls) Proxy.newProxyInstance(
                HookedKernel.class.getClassLoader(), new Class<?>[] {Syscalls.class}, (proxy, call, arguments) -> {
                    if (call.getName().equals("write")
                            && (long) arguments[2] >= Long.BYTES
                            && hook.write(NativeMemory.view((long) arguments[1], (int) (long) arguments[2]))) {
                        return arguments[2];
                    }
                    Object result = invoke(call, real.syscalls(), arguments);
                    if (call.getName().equals("close")) {
                        afterClose.run();
                    }
                    return result;
                });
        return new LinuxKernel(hooked, real.sysfs(), real.dev());
    }

    private static Object invoke(Method call, Object on, Object[] arguments) throws Throwable {
        try {
            return call.invoke(on, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
