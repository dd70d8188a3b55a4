// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.flight;

import java.util.Map;

/**
 * The counts of connections since the start of the process.
 *
 * @param openedOverRdma connections that were made over RDMA
 * @param openedOverTcp the same over TCP
 * @param closedOverRdma connections over RDMA that have ended
 * @param closedOverTcp the same over TCP
 * @param bytesRead bytes that were read
 * @param bytesWritten bytes that were written
 * @param creditStalls writes that could not take all bytes, because the peer had granted no room
 * @param tcpReasons connections over TCP by their reason
 */
public record ConnectionCounts(
        long openedOverRdma,
        long openedOverTcp,
        long closedOverRdma,
        long closedOverTcp,
        long bytesRead,
        long bytesWritten,
        long creditStalls,
        Map<String, Long> tcpReasons) {}
