// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.host;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Handles the signals of this process with {@code sun.misc.Signal}, the only class of the JDK for signals. The class is
 * exported, but javac warns about it and the warning cannot be suppressed, hence the reflection.
 *
 * <p>QUIT and USR2 are left to the JVM, which prints its threads on QUIT and suspends threads with USR2.
 */
public final class HostSignals {
    public static final int HUP = 1;
    public static final int INT = 2;
    public static final int TERM = 15;
    private static final List<String> NAMES = List.of("HUP", "INT", "USR1", "TERM", "CONT", "WINCH");

    private HostSignals() {}

    /** Whether this signal asks a process to end. */
    public static boolean endsProcess(int number) {
        return number == INT || number == HUP || number == TERM;
    }

    /** Sets a handler for the signals of this process. A thread of the JVM calls it with the number of the signal. */
    public static void handle(IntConsumer handler) {
        try {
            Class<?> signalType = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            Object proxy = Proxy.newProxyInstance(
                    HostSignals.class.getClassLoader(), new Class<?>[] {handlerType}, (self, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            handler.accept(
                                    (int) signalType.getMethod("getNumber").invoke(arguments[0]));
                        }
                        return null;
                    });
            for (String name : NAMES) {
                Object signal = signalType.getConstructor(String.class).newInstance(name);
                signalType.getMethod("handle", signalType, handlerType).invoke(null, signal, proxy);
            }
        } catch (ReflectiveOperationException e) {
            Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
            throw new IllegalStateException("this JVM does not allow handlers of signals", cause);
        }
    }
}
