// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.rsocket;

import io.github.rdma4j.internal.syscall.LinuxKernel;
import io.github.rdma4j.internal.syscall.Syscalls;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.Kernel;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** The running kernel, whose devices take no work requests, or whose connection manager is slow, when a test says so. */
final class RefusingKernel {
    /** The thread of the streams that reads the connection manager's events. */
    private static final String EVENT_LOOP = "rdma4j-rsocket";

    private final Syscalls real = LinuxKernel.running().syscalls();
    private final Set<Object> devices = ConcurrentHashMap.newKeySet();
    private final Kernel kernel;
    private final Set<Object> managers = ConcurrentHashMap.newKeySet();
    private volatile boolean refuses;
    private volatile CountDownLatch telling = new CountDownLatch(0);

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

    /** The event loop hears nothing of the connection manager until {@link #tellEvents}. */
    void holdEvents() {
        telling = new CountDownLatch(1);
    }

    /** The event loop hears what it has missed. */
    void tellEvents() {
        telling.countDown();
    }

    private Object write(Method method, Object[] arguments) throws Throwable {
        if (refuses && devices.contains(arguments[0])) {
            return (long) -Errno.ENOMEM.number();
        }
        if (managers.contains(arguments[0]) && Thread.currentThread().getName().equals(EVENT_LOOP)) {
            telling.await();
        }
        return onReal(method, arguments);
    }

    private Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
        return switch (method.getName()) {
            case "hashCode" -> System.identityHashCode(proxy);
            case "equals" -> proxy == arguments[0];
            case "open" -> {
                Object descriptor = onReal(method, arguments);
                if (arguments[0].toString().contains("uverbs")) {
                    devices.add(descriptor);
                } else if (arguments[0].toString().contains("rdma_cm")) {
                    managers.add(descriptor);
                }
                yield descriptor;
            }
            case "close" -> {
                devices.remove(arguments[0]);
                managers.remove(arguments[0]);
                yield onReal(method, arguments);
            }
            case "write" -> write(method, arguments);
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
