// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import io.github.rdma4j.internal.syscall.Syscalls;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** System calls with an action before every call of one name. */
final class InterceptedSyscalls {
    private InterceptedSyscalls() {}

    static Syscalls before(String name, Syscalls behind, Runnable action) {
        return (Syscalls) Proxy.newProxyInstance(
                Syscalls.class.getClassLoader(), new Class<?>[] {Syscalls.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("hashCode")) {
                        return System.identityHashCode(proxy);
                    }
                    if (method.getName().equals("equals")) {
                        return proxy == arguments[0];
                    }
                    if (method.getName().equals(name)) {
                        action.run();
                    }
                    if (method.getName().equals("pollPair")) {
                        return InvocationHandler.invokeDefault(proxy, method); // which polls through this proxy
                    }
                    try {
                        return method.invoke(behind, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }
}
