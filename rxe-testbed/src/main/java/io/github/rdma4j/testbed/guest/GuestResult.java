// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How a command in a guest ended.
 *
 * @param status as a shell reports it: the exit status, or 128 plus the number of the signal that killed the command
 * @param stages when, since the launch, each stage of the boot was over; {@code started} is the command's start
 * @param clockRatio how many seconds passed on the guest's clock in one of this machine's while the command ran; 1 if it
 *     ran too briefly to tell
 * @param crashReports copies, on this machine, of what JVMs that crashed in the guest left ({@code hs_err_pid*.log})
 */
public record GuestResult(int status, Map<String, Duration> stages, double clockRatio, List<Path> crashReports) {}
