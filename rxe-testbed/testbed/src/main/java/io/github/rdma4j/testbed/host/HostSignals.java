// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.host;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * Takes the signals of this process. {@code sun.misc.Signal} is the JDK's only door to them; it is exported, and
 * reached by reflection because naming it in source is a warning that javac does not let one suppress.
 *
 * <p>QUIT and USR2 stay the JVM's: it prints its threads for the one and suspends them with the other.
 */
public final class HostSignals {
    public static final int HUP = 1;
    public static final int INT = 2;
    public static final int TERM = 15;
    private static final Map<String, Integer> NUMBERS =
            Map.of("HUP", HUP, "INT", INT, "USR1", 10, "TERM", TERM, "CONT", 18, "WINCH", 28);

    private HostSignals() {}

    /** Has the handler called, on a thread of the JVM's, with the number of every signal that this process receives. */
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
            for (String name : NUMBERS.keySet()) {
                Object signal = signalType.getConstructor(String.class).newInstance(name);
                signalType.getMethod("handle", signalType, handlerType).invoke(null, signal, proxy);
            }
        } catch (ReflectiveOperationException e) {
            Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
            throw new IllegalStateException("this JVM lets nobody handle signals", cause);
        }
    }
}
