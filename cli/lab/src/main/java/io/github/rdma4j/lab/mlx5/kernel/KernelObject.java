// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

import java.util.List;

/** An object that a handle names, and how it is given back. */
class KernelObject {
    private final String kind;
    private final List<KernelObject> used;
    private int users;

    KernelObject(String kind, List<KernelObject> used) {
        this.kind = kind;
        this.used = used;
        used.forEach(each -> each.users++);
    }

    String kind() {
        return kind;
    }

    boolean isUsed() {
        return users > 0;
    }

    /** Ends the object, which nobody uses. */
    final void end() {
        release();
        used.forEach(each -> each.users--);
    }

    void release() {}
}
