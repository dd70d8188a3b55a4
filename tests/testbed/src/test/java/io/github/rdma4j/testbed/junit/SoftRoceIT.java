// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.github.rdma4j.support.Nightly;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The test engine with guests; the rest of it is tested with JVMs of this machine. */
class SoftRoceIT {
    private final List<String> events = new ArrayList<>();
    private final Map<String, Throwable> failures = new LinkedHashMap<>();
    private final Map<String, String> skips = new LinkedHashMap<>();

    private void run(Class<?>... classes) {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
        for (Class<?> type : classes) {
            request.selectors(selectClass(type));
        }
        Launcher launcher = LauncherFactory.create();
        launcher.execute(request.build(), new TestExecutionListener() {
            @Override
            public void executionSkipped(TestIdentifier test, String reason) {
                skips.put(test.getDisplayName(), reason);
            }

            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.getParentId().isPresent()) {
                    events.add(result.getStatus().name().toLowerCase(Locale.ROOT) + " " + test.getDisplayName());
                    result.getThrowable().ifPresent(thrown -> failures.put(test.getDisplayName(), thrown));
                }
            }
        });
    }

    @Nightly
    @Test
    void aPanicFailsTheTestThatRanAndTheRestRunsInAnotherGuest() {
        run(GuestSamples.Panics.class);
        assertThat(events)
                .containsExactly("successful a()", "failed b()", "successful c()", "successful GuestSamples$Panics");
        assertThat(failures.get("b()"))
                .hasMessageContaining("the guest's kernel panicked")
                .hasMessageContaining("The last lines of the guest's kernel:")
                .hasMessageContaining("sysrq");
    }

    @Nightly
    @Test
    void leaksAreFailuresOfTheClassAndKernelsAreCompared() {
        run(
                GuestSamples.Tidy.class,
                GuestSamples.Leaks.class,
                GuestSamples.Kernels.class,
                GuestSamples.OneNodeWithFault.class);
        assertThat(events)
                .as("failures: %s", failures)
                .contains("successful closesEverything()", "successful GuestSamples$Tidy")
                .contains("successful leavesAnIdAndADescriptor()", "failed GuestSamples$Leaks");
        assertThat(failures.get("GuestSamples$Leaks"))
                .hasMessageContaining("cm_id: ")
                .hasMessageContaining("/dev/infiniband/rdma_cm")
                .hasMessageContaining("/etc/hostname (first seen after leavesAnIdAndADescriptor())");
        assertThat(skips.get("needsALaterKernel()")).contains("is older than 99.0");
        assertThat(failures.get("GuestSamples$OneNodeWithFault")).hasMessageContaining("needs nodes = 2 or more");
    }

    @Test
    void aFaultAppliesToEveryNode() {
        run(GuestSamples.TwoNodes.class);
        assertThat(events).contains("successful bothNodesLoseFrames()", "successful GuestSamples$TwoNodes");
    }
}
