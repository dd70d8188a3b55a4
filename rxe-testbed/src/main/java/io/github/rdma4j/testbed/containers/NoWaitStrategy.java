// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.containers;

import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;

/** Waits for nothing: the devices of the machine were there before the container. */
final class NoWaitStrategy extends AbstractWaitStrategy {
    @Override
    protected void waitUntilReady() {}
}
