// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

/** What is done when an object is gone. Neither waits nor throws. */
public interface DestroyListener {
    /** {@code destroyed} is false when the kernel may still have the object, and the device may use its memory. */
    void onDestroy(boolean destroyed);
}
