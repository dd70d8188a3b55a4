// SPDX-License-Identifier: Apache-2.0

/** What only InfiniBand has, on a fabric in software with OpenSM: paths, joins and services that a subnet manager grants. */
@NullMarked
package io.github.rdma4j.it.ib;

import org.jspecify.annotations.NullMarked;
