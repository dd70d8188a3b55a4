// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.support.Await;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.function.Executable;

/** What a closed handle's methods do, in the thread that closed it and in another. */
public final class ClosedHandle {
    private static final Set<String> OF_ANY_OBJECT =
            Set.of("equals", "hashCode", "getClass", "notify", "notifyAll", "wait");

    private ClosedHandle() {}

    /** One test for each call: a refusal of {@code refused}, an answer of {@code answered}, and no method left out. */
    public static Stream<DynamicTest> refuses(
            Class<?> type, Object handle, Map<String, Executable> refused, Map<String, Executable> answered) {
        Set<String> covered = new TreeSet<>(refused.keySet());
        covered.addAll(answered.keySet());
        DynamicTest complete = DynamicTest.dynamicTest(
                "no method of " + handle + " is left out",
                () -> assertThat(covered).containsAll(publicMethods(type)));
        return Stream.concat(Stream.of(complete), Stream.concat(refuses(refused), answers(answered)));
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

    private static Set<String> publicMethods(Class<?> type) {
        return Stream.of(type.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic())
                .map(Method::getName)
                .filter(name -> !OF_ANY_OBJECT.contains(name))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
