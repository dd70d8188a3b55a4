// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.support.Await;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.function.Executable;

/** What a closed handle's methods do, in the thread that closed it and in another. */
public final class ClosedHandle {
    private static final Set<String> OF_ANY_OBJECT =
            Set.of("equals", "hashCode", "getClass", "notify", "notifyAll", "wait");

    private ClosedHandle() {}

    /** One test for each call: a refusal of {@code refused}, an answer of every other method, and no method left out. */
    public static Stream<DynamicTest> refuses(Class<?> type, Object handle, Map<String, Executable> refused) {
        return refuses(type, handle, refused, Map.of());
    }

    /** As above; {@code answered} has the methods that have parameters, or whose answers must be something. */
    public static Stream<DynamicTest> refuses(
            Class<?> type, Object handle, Map<String, Executable> refused, Map<String, Executable> answered) {
        Map<String, Executable> answers = new TreeMap<>(answered);
        for (Method method : publicMethods(type)) {
            if (method.getParameterCount() == 0 && !refused.containsKey(method.getName())) {
                answers.putIfAbsent(method.getName(), () -> answer(method, handle));
            }
        }
        Set<String> covered = new TreeSet<>(refused.keySet());
        covered.addAll(answers.keySet());
        DynamicTest complete = DynamicTest.dynamicTest(
                "no method of " + handle + " is left out",
                () -> assertThat(covered)
                        .isNotEmpty()
                        .containsAll(publicMethods(type).stream()
                                .map(Method::getName)
                                .toList()));
        return Stream.concat(Stream.of(complete), Stream.concat(refuses(refused), answers(answers)));
    }

    private static void answer(Method method, Object handle) throws ReflectiveOperationException {
        method.setAccessible(true); // the class that declares it need not be public
        Object answer = method.invoke(handle);
        if (method.getName().equals("isClosed")) {
            assertThat(answer).isEqualTo(true);
        }
    }

    public static Stream<DynamicTest> refuses(Map<String, Executable> calls) {
        return calls.entrySet().stream()
                .flatMap(call -> Stream.of(
                        DynamicTest.dynamicTest(call.getKey() + " is refused", () -> refuse(call.getValue())),
                        DynamicTest.dynamicTest(
                                call.getKey() + " is refused in another thread",
                                () -> Await.inThread(() -> refuse(call.getValue()))
                                        .result())));
    }

    private static Stream<DynamicTest> answers(Map<String, Executable> calls) {
        return calls.entrySet().stream()
                .map(call -> DynamicTest.dynamicTest(call.getKey() + " answers", call.getValue()));
    }

    private static boolean refuse(Executable call) {
        assertThatThrownBy(call::execute)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        return true;
    }

    private static List<Method> publicMethods(Class<?> type) {
        return Stream.of(type.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic())
                .filter(method -> !OF_ANY_OBJECT.contains(method.getName()))
                .toList();
    }
}
