// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

/** An action after an object is closed. Must neither wait nor throw. */
public interface CloseAction {
    /** {@code destroyed} is false if the kernel may still have the object: then the device may still use its memory. */
    void closed(boolean destroyed);
}
