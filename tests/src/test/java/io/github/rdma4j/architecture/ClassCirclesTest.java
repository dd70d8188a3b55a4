// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How many classes of a package know each other in a circle, so that none of them can be understood alone. A nested class
 * counts as its outermost class. Lower a limit when a circle shrinks; do not raise it.
 */
@AnalyzeClasses(packages = "io.github.rdma4j", importOptions = ArchitectureTest.Production.class)
class ClassCirclesTest {
    private static final String ROOT = "io.github.rdma4j.";

    /** What users hold in their hands and get from each other, and the maker of the ids of connect requests. */
    @ArchTest
    static void onlyTheFacesOfTheConnectionManagerKnowEachOther(JavaClasses classes) {
        assertThat(largestCircle(classes, "cm"))
                .isSubsetOf(
                        "CmEvent",
                        "CmEventException",
                        "CmId",
                        "CmMulticast",
                        "EventChannel",
                        "GroupMembership",
                        "Requests");
    }

    /** Memory windows are work requests' and a protection domain's; an asynchronous event gives its queue to the user. */
    @ArchTest
    static void theFamilyOfVerbsObjectsDoesNotGrow(JavaClasses classes) {
        assertThat(largestCircle(classes, "verbs")).hasSizeLessThanOrEqualTo(22);
    }

    @ArchTest
    static void aCircleIsFound(JavaClasses classes) {
        assertThat(largestCircle(classes, "cm")).contains("CmId", "EventChannel");
    }

    private static Set<String> largestCircle(JavaClasses classes, String name) {
        Map<String, Set<String>> uses = uses(classes, ROOT + name);
        Set<String> largest = Set.of();
        for (String type : uses.keySet()) {
            Set<String> circle = new TreeSet<>(reachable(type, uses));
            circle.removeIf(other -> !reachable(other, uses).contains(type));
            largest = circle.size() > largest.size() ? circle : largest;
        }
        return largest;
    }

    /** Which other classes of the package each class of the package depends on. */
    private static Map<String, Set<String>> uses(JavaClasses classes, String packageName) {
        Map<String, Set<String>> uses = new TreeMap<>();
        for (JavaClass type : classes) {
            if (type.getPackageName().equals(packageName)) {
                Set<String> used = uses.computeIfAbsent(outermost(type), key -> new TreeSet<>());
                type.getDirectDependenciesFromSelf().stream()
                        .map(Dependency::getTargetClass)
                        .map(JavaClass::getBaseComponentType)
                        .filter(target -> target.getPackageName().equals(packageName))
                        .map(ClassCirclesTest::outermost)
                        .forEach(used::add);
            }
        }
        return uses;
    }

    private static String outermost(JavaClass type) {
        return type.getEnclosingClass().map(ClassCirclesTest::outermost).orElseGet(type::getSimpleName);
    }

    private static Set<String> reachable(String from, Map<String, Set<String>> uses) {
        Set<String> seen = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(uses.get(from));
        while (!open.isEmpty()) {
            String next = open.pop();
            if (seen.add(next)) {
                open.addAll(uses.get(next));
            }
        }
        return seen;
    }
}
