// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.flight;

/**
 * What is recorded of an event of the connection manager.
 *
 * @param type the name of the type
 * @param id the kernel's handle of the id; of the new one for a CONNECT_REQUEST
 * @param uid the number by which this library knows the id; the listener's for a CONNECT_REQUEST
 * @param status 0, a negative errno, or a positive code of the transport
 * @param queuePair the number of the peer's queue pair; 0 without one
 * @param privateDataLength bytes of private data, as the kernel reports them: as many as the message has room for
 */
public record CmEventFacts(String type, int id, long uid, int status, int queuePair, int privateDataLength) {}
