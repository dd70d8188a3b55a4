// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.abi;

/** What an event tells about the peer; all events of an id have the form of its queue pair type. */
public sealed interface EventParam permits ConnParam, UdParam {
    /** Queue pair number, 24 bits. */
    int qpNum();

    /** Queue key. */
    int qkey();

    /** What the peer sent along, filled up with zeros to the most its message can carry. */
    byte[] privateData();
}
