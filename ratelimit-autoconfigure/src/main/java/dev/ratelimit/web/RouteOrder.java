package dev.ratelimit.web;

/**
 * Where the limits of a route stand among the filters of an application.
 */
public enum RouteOrder {

	/**
	 * Behind Spring Security, so that the caller is known, and a denied request takes no
	 * token.
	 */
	AFTER_SECURITY,

	/**
	 * Before Spring Security, so that attempts to log in are limited. The caller is not
	 * known.
	 */
	BEFORE_SECURITY

}
