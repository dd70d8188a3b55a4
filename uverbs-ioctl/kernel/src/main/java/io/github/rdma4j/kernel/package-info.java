// SPDX-License-Identifier: Apache-2.0
/**
 * What any kernel character device needs: descriptors that cannot be used after close, errno as a value, waiting that
 * close and interruption can end. Mirrors no header of its own; the calls are those of section 2 of the Linux manual.
 */
@NullMarked
package io.github.rdma4j.kernel;

import org.jspecify.annotations.NullMarked;
