// SPDX-License-Identifier: Apache-2.0
/** The machines of a run: one guest or two guests. */
@NullMarked
package io.github.rdma4j.lab.soak.node;

import org.jspecify.annotations.NullMarked;
