// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.umad;

/** What carries the packets of a port. */
public enum LinkLayer {
    INFINIBAND,

    /** RoCE: there is no subnet manager on it. */
    ETHERNET,

    /** The kernel does not tell. */
    UNKNOWN
}
