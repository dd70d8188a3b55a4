// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

/** Called when an object is gone. An implementation must not wait or throw. */
public interface DestroyListener {
    /** Called once. If {@code destroyed} is false, the device may still use the memory of the object. */
    void onDestroy(boolean destroyed);
}
