// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

/** The poster of a work request, which must know whether the device may have the request. */
public interface Posting {
    /** Called when the request is in the queue, where it stays even if the doorbell then throws, for example. */
    void isPut();
}
