// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.rsocket;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.Kernel;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The running kernel, whose devices take no work requests or no commands when a test says so. */
final class RefusingKernel {
    private final Syscalls real = LinuxKernel.running().syscalls();
    private final Set<Object> devices = ConcurrentHashMap.newKeySet();
    private final Kernel kernel;
    private volatile boolean refuses;
    private volatile boolean refusesCommands;

    RefusingKernel() {
        Syscalls refusing = (Syscalls)
                Proxy.newProxyInstance(Syscalls.class.getClassLoader(), new Class<?>[] {Syscalls.class}, this::call);
        kernel = new LinuxKernel(refusing, Path.of("/sys"), Path.of("/dev"));
    }

    Kernel kernel() {
        return kernel;
    }

    /** From now on a device has no memory for requests: they are what is written to its descriptor. */
    void refusePosts() {
        refuses = true;
    }

    /** From now on a device has no memory for commands, such as those that make queues, or has memory again. */
    void refuseCommands(boolean refused) {
        refusesCommands = refused;
    }

    private Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
        return switch (method.getName()) {
            case "hashCode" -> System.identityHashCode(proxy);
            case "equals" -> proxy == arguments[0];
            case "open" -> {
                Object descriptor = onReal(method, arguments);
                if (arguments[0].toString().contains("uverbs")) {
                    devices.add(descriptor);
                }
                yield descriptor;
            }
            case "close" -> {
                devices.remove(arguments[0]);
                yield onReal(method, arguments);
            }
            case "write" ->
                refuses && devices.contains(arguments[0])
                        ? (Object) (long) -Errno.ENOMEM.number()
                        : onReal(method, arguments);
            case "ioctl" ->
                refusesCommands && devices.contains(arguments[0])
                        ? (Object) (-Errno.ENOMEM.number())
                        : onReal(method, arguments);
            default -> onReal(method, arguments);
        };
    }

    private Object onReal(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException failed) {
            throw failed.getCause();
        }
    }
}
