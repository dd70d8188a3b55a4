// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it;

import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.syscall.Syscalls;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;

/** The running kernel's system calls, which give no descriptor while a test says so. */
final class FewDescriptors {
    private static final int EMFILE = 24;
    private static final Set<String> GIVE_DESCRIPTORS = Set.of("open", "eventfd", "socket");

    private final Syscalls real = Kernel.running().syscalls();
    private volatile boolean usedUp;

    void useUp() {
        usedUp = true;
    }

    void free() {
        usedUp = false;
    }

    Syscalls syscalls() {
        return (Syscalls) Proxy.newProxyInstance(
                Syscalls.class.getClassLoader(),
                new Class<?>[] {Syscalls.class},
                (proxy, method, arguments) -> call(proxy, method, arguments));
    }

    private Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("hashCode")) {
            return System.identityHashCode(proxy);
        }
        if (method.getName().equals("equals")) {
            return proxy == arguments[0];
        }
        if (usedUp && GIVE_DESCRIPTORS.contains(method.getName())) {
            return -EMFILE;
        }
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException failed) {
            throw failed.getCause();
        }
    }
}
