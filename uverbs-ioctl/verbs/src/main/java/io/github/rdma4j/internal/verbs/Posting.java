// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

/** Who posts a work request and has to know whether the device may have it. */
public interface Posting {
    /** The request is in the queue. It stays there, whatever is thrown afterwards, such as by the doorbell. */
    void isPut();
}
