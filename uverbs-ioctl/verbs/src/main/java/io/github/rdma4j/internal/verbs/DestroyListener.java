// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

/** Callback for the end of an object. Must not wait or throw. */
public interface DestroyListener {
    /** {@code destroyed} is false when the kernel may still have the object, and the device may use its memory. */
    void onDestroy(boolean destroyed);
}
