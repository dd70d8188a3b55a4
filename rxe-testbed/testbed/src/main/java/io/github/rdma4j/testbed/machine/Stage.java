// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import java.time.Duration;

/**
 * A stage of a guest's life that is over.
 *
 * @param name a word; docs/testbed.md lists the stages
 * @param at how long after the launch the stage ended
 * @param processor how long processors of this machine had worked for the guest by then
 */
public record Stage(String name, Duration at, Duration processor) {}
