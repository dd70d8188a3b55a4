// SPDX-License-Identifier: Apache-2.0
/**
 * Latency and bandwidth of a connection, measured with another {@code perf} or a program of Debian's {@code perftest}
 * ({@code ib_send_lat(1)} and others) with {@code -R}. {@link io.github.rdma4j.cli.perf.PerfRun} measures for other
 * programs.
 */
@NullMarked
package io.github.rdma4j.cli.perf;

import org.jspecify.annotations.NullMarked;
