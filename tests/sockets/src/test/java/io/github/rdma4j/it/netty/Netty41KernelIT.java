// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.github.rdma4j.it.support.OtherNetty;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The same classes of tests with Netty 4.1: Netty 4.1's own tests of transports, and ours. */
@RequiresKernel
class Netty41KernelIT {
    private static final int MINUTES_OF_EACH_RUN = 5;
    private static final int MINUTES_AT_NIGHT = 60;

    private static final List<Class<?>> EACH_RUN =
            List.of(NettyTransportKernelIT.class, NettyCloseWhileReadingKernelIT.class);

    private static final List<Class<?>> AT_NIGHT = List.of(
            NettySuiteBytesKernelIT.class,
            NettySuiteClientKernelIT.class,
            NettySuiteFlowKernelIT.class,
            NettySuiteStatesKernelIT.class,
            NettyAnswersKernelIT.class,
            NettyClosesKernelIT.class,
            NettySuiteBytesNightlyKernelIT.class,
            NettySuiteClientNightlyKernelIT.class,
            NettySuiteFlowNightlyKernelIT.class,
            NettySuiteStatesNightlyKernelIT.class,
            NettySuiteTlsNightlyKernelIT.class,
            NettyWireKernelIT.class,
            NettyFaultsKernelIT.class,
            NettyLiarsKernelIT.class);

    /** The other process: runs classes of tests. */
    static final class Run {
        private Run() {}

        public static void main(String[] arguments) {
            SummaryGeneratingListener listener = new SummaryGeneratingListener();
            LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                    .selectors(Stream.of(arguments).skip(1).map(Run::selected).toList())
                    .filters(EngineFilter.includeEngines("junit-jupiter"));
            if (!arguments[0].isEmpty()) {
                request.filters(TagFilter.excludeTags(arguments[0]));
            }
            LauncherFactory.create().execute(request.build(), listener);
            TestExecutionSummary summary = listener.getSummary();
            summary.printFailuresTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8), 30);
            System.out.println(summary.getTestsSucceededCount() + " passed, " + summary.getTotalFailureCount()
                    + " failed, with handlers: " + Loops.haveHandlers());
            System.exit(summary.getTotalFailureCount() == 0 ? 0 : 1);
        }

        private static ClassSelector selected(String name) {
            return selectClass(name);
        }
    }

    private static void pass(List<Class<?>> classes, String withoutTag, Duration limit) throws Exception {
        String[] arguments = Stream.concat(
                        Stream.of(withoutTag), classes.stream().map(Class::getName))
                .toArray(String[]::new);
        try (Program program = Program.start(OtherNetty.java("netty-4.1", Run.class, arguments))) {
            assertThat(program.success(limit))
                    .containsPattern("(?m)^[1-9]\\d+ passed, 0 failed, with handlers: false$");
        }
    }

    @Test
    @Timeout(value = MINUTES_OF_EACH_RUN, unit = TimeUnit.MINUTES)
    void passesTheTestsOfEachRun() throws Exception {
        pass(EACH_RUN, "nightly", Duration.ofMinutes(MINUTES_OF_EACH_RUN));
    }

    @Test
    @Nightly
    @Timeout(value = MINUTES_AT_NIGHT, unit = TimeUnit.MINUTES)
    void passesTheTestsOfTheNight() throws Exception {
        pass(AT_NIGHT, "", Duration.ofMinutes(MINUTES_AT_NIGHT));
    }
}
