// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.containers;

import io.github.rdma4j.testbed.host.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.output.OutputFrame;
import org.testcontainers.containers.output.OutputFrame.OutputType;
import org.testcontainers.containers.output.WaitingConsumer;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;
import org.testcontainers.utility.LogUtils;

/** Waits until the guest in a container has an active device, or until the container ends. */
final class GuestWaitStrategy extends AbstractWaitStrategy {
    private static final String READY = "testbed: ready, node ";
    private static final String PANIC = "Kernel panic - not syncing";
    private static final int LAST_LINES = 20;

    GuestWaitStrategy() {
        // A busy machine without KVM needs a minute.
        startupTimeout = Duration.ofMinutes(3);
    }

    @Override
    protected void waitUntilReady() {
        WaitingConsumer lines = new WaitingConsumer();
        LogUtils.followOutput(
                DockerClientFactory.lazyClient(), waitStrategyTarget.getContainerId(), lines, OutputType.STDOUT);
        try {
            lines.waitUntil(
                    frame -> isReady(frame) || ended(frame),
                    Deadline.after(startupTimeout).remainingNanos(),
                    TimeUnit.NANOSECONDS,
                    1);
        } catch (TimeoutException e) {
            throw new ContainerLaunchException(
                    "the guest has not started within " + startupTimeout.toSeconds() + " s; " + log(), e);
        }
        if (!waitStrategyTarget.isRunning()) {
            throw new ContainerLaunchException("the guest has not started; " + log());
        }
    }

    private static boolean isReady(OutputFrame frame) {
        return frame.getUtf8String().contains(READY);
    }

    private static boolean ended(OutputFrame frame) {
        return frame.getType() == OutputType.END;
    }

    private String log() {
        return "the log of the container ends with:\n" + tail(waitStrategyTarget.getLogs());
    }

    /** The last lines of a log. After a panic of the guest's kernel, all lines from the panic on. */
    static String tail(String log) {
        List<String> lines = log.lines().toList();
        int from = Math.max(0, lines.size() - LAST_LINES);
        for (int i = 0; i < from; i++) {
            if (lines.get(i).contains(PANIC)) {
                from = i;
            }
        }
        return String.join("\n", lines.subList(from, lines.size()));
    }
}
