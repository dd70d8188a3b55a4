// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

import java.util.List;

/** An XRC domain that a process has open. */
final class XrcdObject extends KernelObject {
    private final Xrcd xrcd;

    XrcdObject(Xrcd xrcd) {
        super("xrcd", List.of());
        this.xrcd = xrcd;
    }

    Xrcd xrcd() {
        return xrcd;
    }

    @Override
    void release() {
        xrcd.close();
    }
}
