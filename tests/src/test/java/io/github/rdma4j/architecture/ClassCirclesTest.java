// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.util.List;
import java.util.Set;

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
        assertThat(Circles.of(classes, type -> type.getPackageName().equals(ROOT + name), ClassCirclesTest::outermost))
                .as(
                        "The classes of %s%s that know each other in a circle. A class that has joined a circle must leave it: hand "
                                + "it what it needs, and do not add it to the list. When a circle has lost a class, shorten the list.",
                        ROOT, name)
                .containsExactlyInAnyOrderElementsOf(listed);
    }

    private static String outermost(JavaClass type) {
        return type.getEnclosingClass().map(ClassCirclesTest::outermost).orElseGet(type::getSimpleName);
    }
}
