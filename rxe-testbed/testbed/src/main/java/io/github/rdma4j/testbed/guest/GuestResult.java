// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import io.github.rdma4j.testbed.machine.Stage;
import java.nio.file.Path;
import java.util.List;

/**
 * How a command in a guest ended.
 *
 * @param status as a shell reports it: the exit status, or 128 plus the number of the signal that killed the command
 * @param stages the stages of the guest's life in the order in which they ended; {@code started} is the command's start
 * @param clockRatio how many seconds passed on the guest's clock in one of this machine's while the command ran; 1 if it
 *     ran too briefly to tell
 * @param crashReports copies, on this machine, of what JVMs that crashed in the guest left ({@code hs_err_pid*.log})
 */
public record GuestResult(int status, List<Stage> stages, double clockRatio, List<Path> crashReports) {}
