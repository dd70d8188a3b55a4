// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.libc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** System calls of which one is intercepted. */
public final class InterceptedSyscalls {
    private InterceptedSyscalls() {}

    /** With an action before every call of one name. */
    public static Syscalls before(String name, Syscalls behind, Runnable action) {
        return intercepted(name, behind, call -> {
            action.run();
            return call.make();
        });
    }

    /** The same, with the action after each call. */
    public static Syscalls after(String name, Syscalls behind, Runnable action) {
        return intercepted(name, behind, call -> {
            Object result = call.make();
            action.run();
            return result;
        });
    }

    /** Those calls are not made: their result is {@code result}. */
    public static Syscalls instead(String name, Syscalls behind, Object result) {
        return intercepted(name, behind, call -> result);
    }

    /** A call that has not been made yet. */
    private interface Call {
        Object make() throws Throwable;
    }

    /** What is done in the place of a call. */
    private interface Replacement {
        Object make(Call call) throws Throwable;
    }

    private static Syscalls intercepted(String name, Syscalls behind, Replacement replacement) {
        return (Syscalls) Proxy.newProxyInstance(
                Syscalls.class.getClassLoader(), new Class<?>[] {Syscalls.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("hashCode")) {
                        return System.identityHashCode(proxy);
                    }
                    if (method.getName().equals("equals")) {
                        return proxy == arguments[0];
                    }
                    if (method.getName().equals("pollPair")) {
                        return InvocationHandler.invokeDefault(proxy, method); // which polls through this proxy
                    }
                    Call call = () -> invoke(method, behind, arguments);
                    return method.getName().equals(name) ? replacement.make(call) : call.make();
                });
    }

    private static Object invoke(Method method, Syscalls behind, Object[] arguments) throws Throwable {
        try {
            return method.invoke(behind, arguments);
        } catch (InvocationTargetException failed) {
            throw failed.getCause();
        }
    }
}
