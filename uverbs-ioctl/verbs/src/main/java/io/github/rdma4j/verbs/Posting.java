// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

/** Who posts a work request and has to know whether the device may have it. */
interface Posting {
    /** The request is in the queue. It stays there, whatever is thrown afterwards, such as by the doorbell. */
    void isPut();
}
