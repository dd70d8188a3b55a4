// SPDX-License-Identifier: Apache-2.0
/** What goes wrong, one class for each kind. */
@NullMarked
package io.github.rdma4j.soak.fault;

import org.jspecify.annotations.NullMarked;
