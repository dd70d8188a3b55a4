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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which classes of a package know each other in a circle, so that none of them can be understood alone. A nested class counts
 * as its outermost class. Every circle is listed by the names of its classes, and a list may only get shorter.
 */
@AnalyzeClasses(packages = "io.github.rdma4j", importOptions = ArchitectureTest.Production.class)
class ClassCirclesTest {
    private static final String ROOT = "io.github.rdma4j.";

    private static final List<Set<String>> CM = List.of(
            // What users hold in their hands and get from each other, and the maker of the ids of connect requests.
            Set.of("CmEvent", "CmId", "CmMulticast", "EventChannel", "GroupMembership", "Requests"),
            // The ids of a channel, and what takes their events.
            Set.of("ChannelMember", "IdChannel", "IdEvents", "Retrieval"),
            // The lock of an id, and the events that wait for it.
            Set.of("Delivery", "EventSink", "IdLock"));

    private static final List<Set<String>> VERBS = List.of(
            // Memory windows are work requests' and a protection domain's; an asynchronous event gives its queue to the
            // user.
            Set.of(
                    "AddressHandle",
                    "AsyncEvent",
                    "CompletionChannel",
                    "CompletionQueue",
                    "CompletionQueues",
                    "CompletionWait",
                    "DeviceContext",
                    "MemoryWindow",
                    "NewQueuePair",
                    "ProtectionDomain",
                    "QueuePair",
                    "QueuePairOptions",
                    "SendLimits",
                    "SendQueue",
                    "SendState",
                    "SendWorkRequest",
                    "SharedReceiveQueue"),
            Set.of("WorkCompletion", "WorkCompletionException"));

    private static final List<Set<String>> DISPATCH =
            List.of(Set.of("AsyncQueuePair", "AsyncReceiveQueue", "CompletionDispatcher"));

    private static final List<Set<String>> NETTY = List.of(Set.of("RegisteredByteBuf", "RegisteredByteBufAllocator"));

    @ArchTest
    static void theCirclesOfTheConnectionManagerDoNotGrow(JavaClasses classes) {
        requireOnly(classes, "cm", CM);
    }

    @ArchTest
    static void theCirclesOfTheVerbsDoNotGrow(JavaClasses classes) {
        requireOnly(classes, "verbs", VERBS);
    }

    @ArchTest
    static void theCirclesOfTheDispatcherDoNotGrow(JavaClasses classes) {
        requireOnly(classes, "verbs.dispatch", DISPATCH);
    }

    @ArchTest
    static void theCirclesOfTheNettyBuffersDoNotGrow(JavaClasses classes) {
        requireOnly(classes, "netty", NETTY);
    }

    @ArchTest
    static void theClassesOfTheNettyTransportHaveNoCircles(JavaClasses classes) {
        requireOnly(classes, "netty.transport", List.of());
    }

    private static void requireOnly(JavaClasses classes, String name, List<Set<String>> listed) {
        assertThat(circles(classes, name))
                .as(
                        "The classes of %s%s that know each other in a circle. A class that has joined a circle must leave it: hand "
                                + "it what it needs, and do not add it to the list. When a circle has lost a class, shorten the list.",
                        ROOT, name)
                .containsExactlyInAnyOrderElementsOf(listed);
    }

    /** Every circle of more than one class. */
    private static Set<Set<String>> circles(JavaClasses classes, String name) {
        Map<String, Set<String>> uses = uses(classes, ROOT + name);
        Set<Set<String>> circles = new HashSet<>();
        for (String type : uses.keySet()) {
            Set<String> circle = new TreeSet<>(reachable(type, uses));
            circle.removeIf(other -> !reachable(other, uses).contains(type));
            if (circle.size() > 1) {
                circles.add(circle);
            }
        }
        return circles;
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
