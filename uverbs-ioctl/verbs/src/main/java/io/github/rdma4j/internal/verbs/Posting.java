// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

/** Callback for a work request that is in the queue, and which the device may therefore read. */
public interface Posting {
    /** Called when the request is in the queue, where it stays even if the doorbell throws afterwards. */
    void isPut();
}
