// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.docker;

import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;

/** Waits for nothing: what the container needs was there before the container, or tells by itself when it is ready. */
public final class NoWaitStrategy extends AbstractWaitStrategy {
    @Override
    protected void waitUntilReady() {}
}
