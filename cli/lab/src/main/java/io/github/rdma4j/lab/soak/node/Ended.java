// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.node;

/** A program that has ended: its exit status, and all that it said. */
public record Ended(int status, String output) {
    /** True for exit status 0. */
    public boolean isSuccess() {
        return status == 0;
    }
}
