// SPDX-License-Identifier: Apache-2.0
/**
 * Values of the verbs API: attributes of devices, ports, queue pairs and addresses, and enums for states, types, access
 * rights and statuses. They have no handle and need not be closed. The objects of {@link io.github.rdma4j.verbs} accept
 * and return them.
 */
@NullMarked
package io.github.rdma4j.verbs.attr;

import org.jspecify.annotations.NullMarked;
