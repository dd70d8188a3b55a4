// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.DriverContext;

/**
 * The parts of a protection domain and its device that its regions, windows and address handles use.
 *
 * @param pd the protection domain, which is closed after its objects
 * @param created the reply of the kernel and the driver to the creation of the protection domain
 * @param device the name of the device, for messages
 * @param control the commands of the device
 * @param driver the driver of the device
 * @param files the keeper of memory that the device may access
 */
record DomainHost(
        VerbsObject pd, Created.Pd created, String device, ControlPath control, DriverContext driver, OpenFiles files) {
    int pdHandle() {
        return created.handle();
    }
}
