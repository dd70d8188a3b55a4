// SPDX-License-Identifier: Apache-2.0

/** A time line as text, JSON and a page. */
@NullMarked
package io.github.rdma4j.lab.trace.view;

import org.jspecify.annotations.NullMarked;
