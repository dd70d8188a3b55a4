// SPDX-License-Identifier: Apache-2.0
/**
 * The values of verbs: attributes of devices, ports, queue pairs and addresses, and the enums that name states, types, access
 * rights and statuses. They have no handle and nothing to close; the objects of {@link io.github.rdma4j.verbs} take and return them.
 */
@NullMarked
package io.github.rdma4j.verbs.attr;

import org.jspecify.annotations.NullMarked;
