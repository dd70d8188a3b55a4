// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import java.time.Duration;
import java.util.Map;

/**
 * How a command in a guest ended.
 *
 * @param status as a shell reports it: the exit status, or 128 plus the number of the signal that killed the command
 * @param stages when, since the launch, each stage of the boot was over; {@code started} is the command's start
 */
public record GuestResult(int status, Map<String, Duration> stages) {}
