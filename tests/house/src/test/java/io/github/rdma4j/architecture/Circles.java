// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;

/** Groups of classes that depend on each other in a circle. */
final class Circles {
    private final Map<String, Set<String>> uses = new TreeMap<>();

    /**
     * @param counts which classes have a group
     * @param groupOf the name of a class's group
     * @param matters whether it matters that a class uses another
     */
    private Circles(
            JavaClasses classes,
            Predicate<JavaClass> counts,
            Function<JavaClass, String> groupOf,
            BiPredicate<JavaClass, JavaClass> matters) {
        // A class is asked for its group once: there are a hundred dependencies for each class.
        Map<String, String> groups = new HashMap<>();
        Function<JavaClass, String> group = type -> groups.computeIfAbsent(type.getName(), name -> groupOf.apply(type));
        for (JavaClass type : classes) {
            if (counts.test(type)) {
                Set<String> used = uses.computeIfAbsent(group.apply(type), key -> new TreeSet<>());
                type.getDirectDependenciesFromSelf().stream()
                        .map(Dependency::getTargetClass)
                        .map(JavaClass::getBaseComponentType)
                        .filter(other -> counts.test(other) && matters.test(type, other))
                        .map(group)
                        .forEach(used::add);
            }
        }
    }

    /** Every circle of more than one group. */
    static Set<Set<String>> of(JavaClasses classes, Predicate<JavaClass> counts, Function<JavaClass, String> groupOf) {
        return new Circles(classes, counts, groupOf, (type, other) -> true).all();
    }

    /** As {@link #of}, but for circles within one package each. */
    static Set<Set<String>> inPackages(
            JavaClasses classes, Predicate<JavaClass> counts, Function<JavaClass, String> groupOf) {
        BiPredicate<JavaClass, JavaClass> near =
                (type, other) -> type.getPackageName().equals(other.getPackageName());
        return new Circles(classes, counts, groupOf, near).all();
    }

    private Set<Set<String>> all() {
        Map<String, Set<String>> reached = new TreeMap<>();
        uses.keySet().forEach(group -> reached.put(group, reachable(group)));
        Set<Set<String>> circles = new HashSet<>();
        for (String group : uses.keySet()) {
            Set<String> circle = new TreeSet<>(reached.getOrDefault(group, Set.of()));
            circle.removeIf(other -> !reached.getOrDefault(other, Set.of()).contains(group));
            if (circle.size() > 1) {
                circles.add(circle);
            }
        }
        return circles;
    }

    private Set<String> reachable(String from) {
        Set<String> seen = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(uses.getOrDefault(from, Set.of()));
        while (!open.isEmpty()) {
            String next = open.pop();
            if (seen.add(next)) {
                open.addAll(uses.getOrDefault(next, Set.of()));
            }
        }
        return seen;
    }
}
