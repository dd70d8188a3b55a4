// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

/**
 * What an event tells: of the peer in the form of the id's queue pair type, or, of a user's own event, an argument.
 */
public sealed interface EventParam permits ConnParam, UdParam, UserParam {
    /** What the peer sent along, filled up with zeros to the most its message can carry. */
    byte[] privateData();
}
