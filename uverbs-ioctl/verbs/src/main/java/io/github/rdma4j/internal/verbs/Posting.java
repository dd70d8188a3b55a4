// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

/** Is notified when a work request is in the queue, and so may be read by the device. */
public interface Posting {
    /** The request is in the queue, and stays there even if the doorbell throws afterwards. */
    void isPut();
}
